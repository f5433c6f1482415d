"""The stories of whole branches, in order."""

import bases
import known
import states

STORIES = [
    states.blocked_weakening_stays, states.blocked_weakening_undone, states.older_commit_again,
    states.commit_of_another_branch, states.package_by_its_folder, states.attempts,
    states.symbolic_ref, states.target_of_a_list, states.odd_branch_name, bases.fast_forward, bases.several_merge_bases,
    bases.cut_history, bases.local_main, bases.ahead_of_blocked, bases.grafts, known.variables, known.undecided_again,
    known.ambiguous_names,
]
