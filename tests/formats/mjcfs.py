"""MuJoCo's models that tests write: a humanoid, an arm, and balls."""

BALL = '<geom size="0.05"/>'
HUMANOID = f"""\
<mujoco model="small humanoid">
  <compiler angle="degree" eulerseq="zyx"/>
  <default><joint limited="true"/><default class="knee"><joint axis="0 -1 0" range="-160 -2"/>
  </default></default>
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <light pos="0 0 4"/>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="pelvis" pos="0.1 -0.2 1" euler="20 90 0">
      <freejoint name="root"/>{BALL}
      <site name="imu" pos="0 0.1 0" euler="10 20 30"/>
      <site name="pelvis"/>
      <body name="thigh_l" pos="0 0.1 -0.04" quat="1 0.2 0 0.1">
        <joint name="hip_x" axis="1 0 0" range="-25 5" pos="0 0.02 0.03"/>
        <joint name="hip_z" axis="0 0 1" range="-60 35" pos="0 0.02 0.03"/>
        <joint name="hip_y" axis="0.1 1 0" range="-110 20" pos="0.01 0 0.03"/>
        <geom type="capsule" fromto="0 0 0 0 0.01 -0.34" size="0.06"/>
        <body name="shin_l" pos="0 0.01 -0.403">
          <joint name="knee_l" class="knee" pos="0 0 0.02"/>
          <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.05"/>
          <site name="sole_l" pos="0 0 -0.39" xyaxes="0 1 0 -1 0 0"/>
        </body>
      </body>
      <body name="chest" pos="0 0 0.2"><joint limited="false" axis="0 1 1"/>{BALL}
        <body name="head" pos="0 0 0.3" axisangle="0 0 1 30">{BALL}
          <site name="knob" pos="0 0 0.1"/></body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="hip_x"/><motor joint="knee_l"/></actuator>
  <keyframe><key name="squat" qpos="0 0 1 1 0 0 0 0 0 0 -0.5 0"/></keyframe>
</mujoco>
"""
ARM = f"""\
<mujoco model="arm">
  <compiler angle="radian" autolimits="true"/>
  <worldbody>
    <site name="mark" pos="1 2 3"/>
    <body name="base" pos="0.3 0 0.1" quat="0.9 0 0.3 0.1">{BALL}
      <body name="cart" pos="0 0 0.2">
        <joint name="rail" type="slide" axis="1 0.5 0" range="-0.4 0.9" ref="0.2"/>
        <joint name="pan" axis="0 0 1" pos="0.1 -0.2 0.05" ref="0.3"/>
        <joint name="lift" type="slide" axis="0 0 -1" range="0.1 0.5"/>{BALL}
        <body name="upper" pos="0.1 0 0.4" euler="0.2 0.3 0.4">
          <joint name="elbow" axis="1 1 0" pos="0.05 0.02 -0.3" range="-2 2.5"/>{BALL}
          <body name="left"><joint name="left" type="slide" axis="0 1 0" range="0 0.04"
            ref="0.01"/>{BALL}<site name="pad" pos="0 0 0.1"/></body>
          <body name="right"><joint name="right" type="slide" axis="0 -1 0" range="-1 1"/>
            {BALL}</body>
          <body name="nail"><joint name="nail" axis="1 0 0" range="-4 4"/>{BALL}</body>
          <body name="stuck"><joint name="stuck" axis="1 0 0" range="-4 4"/>{BALL}</body>
          <body name="bent"><joint name="bent" axis="1 0 0" range="-4 4"/>{BALL}</body>
        </body>
      </body>
    </body>
    <body name="target" mocap="true"><site name="goal"/></body>
  </worldbody>
  <equality>
    <joint name="grip" joint1="right" joint2="left" polycoef="0.005 2 0 0 0"/>
    <joint joint1="nail" joint2="right" polycoef="0.1 -10 0 0 0"/>
    <joint joint1="stuck" polycoef="0.7 0 0 0 0"/>
    <joint name="curve" joint1="bent" joint2="elbow" polycoef="0 1 0.5 0 0"/>
    <weld body1="base" body2="target" active="true"/>
  </equality>
  <tendon><fixed><joint joint="left" coef="1"/></fixed></tendon>
</mujoco>
"""
BALLS = f"""\
<mujoco>
  <worldbody>
    <body pos="0 0 1" quat="0.5 0.5 -0.5 0.5"><joint type="ball" pos="0.1 0.2 0.3"/>{BALL}
      <body pos="0.5 0 0"><joint name="turn" axis="0 1 0" pos="0.1 0 0" range="-30 60"/>
        <joint name="b" type="ball" range="0 50" pos="0 0 -0.1"/>{BALL}
        <site pos="0 0.4 0"/><site name="end" pos="0 0.4 0.1"/>
        <body name="last" pos="0 0.4 0" quat="0 1 0 0">
          <joint type="slide" axis="1 0 0"/><joint type="ball" pos="0 1 0"/>{BALL}</body>
      </body>
    </body>
    <body name="loose" pos="1 0 0" quat="1 1 0 0"><freejoint/>{BALL}</body>
  </worldbody>
</mujoco>
"""
