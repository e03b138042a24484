"""Agreement with public libraries, which know nothing of this project.

They are the extra `peers`; the tests are marked so and skipped where a library is missing.
"""
