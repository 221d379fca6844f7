"""How a process behaves that reads photos: what it takes for streams that are closed, how many threads it takes, and, beside
others, that it keeps to one core and ends with the process that started it."""

import os
import signal
import sys
import threading


def stand_in_for_closed_streams() -> None:
    """Whoever starts a process may close its standard streams. Standard output, then, is a pipe that nobody reads, which ends
    the work as any does; what goes to standard error is lost; and `sys.stdin` stays None.

    Files opened later never get the streams' numbers, where they would take what libraries write to standard error.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free is this one.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    if sys.stdout is None:
        reading, writing = os.pipe()
        os.close(reading)
        os.dup2(writing, 1)
        os.close(writing)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def one_thread_for_matrices() -> None:
    """Solve systems of equations on one thread, unless the environment says otherwise. Ours have 200 unknowns at most: sharing
    them out doubles their time, and while other programs keep the cores busy, the threads' waiting for each other takes 40 ms
    a system.

    Call it before NumPy and OpenCV are loaded, which is when they decide on their threads.
    """
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def keep_to_one_core() -> None:
    """No threads inside a photo: the work is shared by photos, and threads would only take the other processes' cores.

    Call it before NumPy is loaded; onnxruntime's threads are one already.
    """
    one_thread_for_matrices()
    import cv2

    cv2.setNumThreads(1)


def settle() -> None:
    """What a worker process starts with: it keeps to one core, leaves a user's interruption to its parent, and ends with it,
    however that ends."""
    from multiprocessing import connection, parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        sentinel = parent.sentinel

        def end_with_parent() -> None:
            connection.wait([sentinel])
            os._exit(1)

        threading.Thread(target=end_with_parent, daemon=True).start()
    keep_to_one_core()
