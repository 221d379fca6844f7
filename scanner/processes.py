"""How a process behaves that reads photos beside others: on one core, and never longer than the process that started it."""

import os
import signal
import threading
from multiprocessing import connection, parent_process


def keep_to_one_core() -> None:
    """No threads inside a photo: the work is shared by photos, and threads would only take the other processes' cores.

    Call it before NumPy is loaded, which is when its matrices' threads are decided on; those of onnxruntime are so already.
    """
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    import cv2

    cv2.setNumThreads(1)


def settle() -> None:
    """What a worker process starts with: it keeps to one core, leaves a user's interruption to its parent, and ends with it,
    however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        sentinel = parent.sentinel

        def end_with_parent() -> None:
            connection.wait([sentinel])
            os._exit(1)

        threading.Thread(target=end_with_parent, daemon=True).start()
    keep_to_one_core()
