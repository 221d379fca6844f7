"""What holds for the whole suite."""

from typing import Any

import cv2
import pytest
from hypothesis import settings

# The suite runs in as many processes as there are cores; OpenCV's own threads would only get in their way.
cv2.setNumThreads(1)

# The same examples at every run, and no time limit for one of them: a busy machine must not fail a test.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep the tests of a module in one process, so that what they share (an installation, samples) is made once."""
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)
