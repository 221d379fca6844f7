"""The rules of play, each as the exception that a breach of it raises.

BrokenRule
+-- NotAShape           the cells are none of the eight shapes
+-- WrongShape          a shape, but not the one that the worker shows
+-- BadBuild
|   +-- OutsideObelisk      a cell lies outside the 5 x 12 area
|   +-- SpaceTaken          a cell is built already
|   +-- SpaceCrossedOut     a cell is crossed out
|   +-- NotSupported        no cell rests on the base or on a built cell
+-- BadCarving
|   +-- OutsideWall         a cell lies outside the wall
|   +-- AlreadyMarked       a cell is part of an earlier group
|   +-- InShadow            a cell lies in the obelisk's shadow
|   +-- NotATranslation     the group was turned, mirrored or rearranged on the obelisk
|   +-- NotBuilt            a symbol would stand on a space that is not built
|   +-- SpaceFilled         a symbol would stand on another
+-- BadScribing
|   +-- NotASquare          only squares are scribed
|   +-- NoEmptyScroll       all three scrolls are filled
+-- BadTurn
    +-- NotYourTurn         another player's action was expected
    +-- NoSuchWorker        the pool has three workers
    +-- PassNotAllowed      something can be built, carved or scribed
    +-- ScrollNotReady      the scroll is empty, or was filled on this turn
    +-- ScrollUsed          the scroll was used before
    +-- WrongStep           e.g. writing before ticking
    +-- GameOver            the game has ended
"""


class BrokenRule(Exception):
    """Root of the tree: an action that the rules forbid. The message says what is wrong."""


class NotAShape(BrokenRule):
    """The cells are none of the eight shapes."""


class WrongShape(BrokenRule):
    """The cells form a shape, but not the one that the worker shows."""


class BadBuild(BrokenRule):
    """A shape cannot be built there."""


class OutsideObelisk(BadBuild):
    """A cell lies outside the obelisk's area."""


class SpaceTaken(BadBuild):
    """A cell is built already."""


class SpaceCrossedOut(BadBuild):
    """A cell is crossed out."""


class NotSupported(BadBuild):
    """No cell rests on the base or on a built cell directly below it."""


class BadCarving(BrokenRule):
    """A group cannot be carved there."""


class OutsideWall(BadCarving):
    """A cell lies outside the wall."""


class AlreadyMarked(BadCarving):
    """A cell of the wall is part of an earlier group."""


class InShadow(BadCarving):
    """A cell of the wall lies in the obelisk's shadow."""


class NotATranslation(BadCarving):
    """The group on the obelisk is not the group of the wall, moved and nothing else."""


class NotBuilt(BadCarving):
    """A symbol would stand on a space that is not built."""


class SpaceFilled(BadCarving):
    """A symbol would stand on a space that has one."""


class BadScribing(BrokenRule):
    """A scroll cannot be scribed."""


class NotASquare(BadScribing):
    """Only squares are scribed."""


class NoEmptyScroll(BadScribing):
    """All three scrolls are filled."""


class BadTurn(BrokenRule):
    """The turn's order forbids it."""


class NotYourTurn(BadTurn):
    """Another player's action was expected."""


class NoSuchWorker(BadTurn):
    """The pool has no such worker."""


class PassNotAllowed(BadTurn):
    """Something can be built, carved or scribed, so passing is forbidden."""


class ScrollNotReady(BadTurn):
    """The scroll is empty, or was filled on this very turn."""


class ScrollUsed(BadTurn):
    """The scroll was used before."""


class WrongStep(BadTurn):
    """The action belongs to another step of the turn."""


class GameOver(BadTurn):
    """The game has ended."""
