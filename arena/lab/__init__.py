"""The strength lab: two bots, many blocks of the same cards, and what that says of their strength.

The candidate plays every deck sequence once from each seat, against copies of the base. That is a block, and
one observation. House bots play inside the lab's own processes, by the same referee and the same encoded
requests as in the arena; bots at a path are processes in the sandbox.
"""
