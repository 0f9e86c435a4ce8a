"""Imports a package that no arena has."""

import package_of_the_future

VERDICTS = ("start_failure",)

package_of_the_future.play()
