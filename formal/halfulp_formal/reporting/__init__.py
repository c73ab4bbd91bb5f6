"""What a run of proofs came to: as text for people, as JSON and JUnit XML for machines, as an exit code."""

from .checked import MalformedResults
from .differences import differences, input_widths
from .files import check_writable, write_whole
from .junit import junit_xml
from .reading import read_results
from .results import EXIT_CODES, Results, Row, exit_code, headline, results_json
from .text import details, summary_table

__all__ = [
    "EXIT_CODES",
    "MalformedResults",
    "Results",
    "Row",
    "check_writable",
    "details",
    "differences",
    "exit_code",
    "headline",
    "input_widths",
    "junit_xml",
    "read_results",
    "results_json",
    "summary_table",
    "write_whole",
]
