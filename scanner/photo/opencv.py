"""Whether OpenCV can be loaded at all. Imports nothing slow, so that the command line can ask first."""

from importlib import import_module

from scanner.errors import InternalError

_INSTALL_HINT = (
    "Install the missing system libraries (Debian and Ubuntu: `apt install libgl1 libglib2.0-0`), "
    "or the build that needs none (`pip uninstall opencv-python; pip install opencv-python-headless`)."
)
_REINSTALL_HINT = "Install it again: `pip install --force-reinstall opencv-python`."


def check_opencv() -> None:
    """Import cv2, so that a machine without its system libraries hears in one line what to install.

    Raises InternalError, whose hint says what to install, when the import fails: servers and containers often lack libGL.
    """
    try:
        import_module("cv2")
    except ImportError as error:
        cause = str(error).splitlines()[0] if str(error) else type(error).__name__
        shared_library = ".so" in cause or "DLL" in cause
        raise InternalError(
            f"OpenCV cannot be loaded: {cause}", _INSTALL_HINT if shared_library else _REINSTALL_HINT
        ) from error
