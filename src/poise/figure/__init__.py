"""Figures: joints, segments, limits, poses."""
