"""Joint-limited, full-body inverse kinematics."""
