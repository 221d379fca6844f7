"""Speed and memory, measured by hand or with `--benchmark-enable`; matrices on one thread, as the program itself has them."""

from scanner.processes import one_thread_for_matrices

one_thread_for_matrices()
