"""Templates, fiducials, pose, printing."""
