"""Name the faults for which a server refuses a message list, and mend them."""

from contextkit.diagnosis.check import check
from contextkit.diagnosis.problems import Problem, Severity
from contextkit.diagnosis.repair import Change, RepairResult, repair

__all__ = ["Change", "Problem", "RepairResult", "Severity", "check", "repair"]
