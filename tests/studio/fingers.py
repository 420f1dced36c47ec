"""Fingers on a screen that is touched."""


class Fingers:
    """Touches of the page, as the browser gets them from a screen."""

    def __init__(self, desk):
        self.desk = desk
        self.session = desk.page.context.new_cdp_session(desk.page)

    def send(self, kind, *points):
        touches = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
        self.desk.page.wait_for_timeout(10)

    def slide(self, *paths, steps=8):
        """Each finger goes from one place to another; then all are lifted."""
        for k in range(steps + 1):
            share = k / steps
            places = [
                (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])) for a, b in paths
            ]
            self.send("touchStart" if k == 0 else "touchMove", *places)
        self.send("touchEnd")
        self.desk.settle()
