"""What holds for the whole suite."""

import cv2
from hypothesis import settings

# The suite runs in as many processes as there are cores; OpenCV's own threads would only get in their way.
cv2.setNumThreads(1)

# The same examples at every run, and no time limit for one of them: a busy machine must not fail a test.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")
