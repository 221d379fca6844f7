"""One player's sheet in play: an immutable board whose methods give the next board or raise the broken rule.

Places are masks (see `bitboard`); `obelisk_place` and `wall_place` turn cells into them.

References: RULES section 1, "Build", "Levels", "Carve", "Scribe".
"""

from collections.abc import Iterable
from typing import NamedTuple

from scanner.engine.obelisk.bitboard import (
    LEVELS,
    OBELISK_FULL,
    WALL_FULL,
    bits,
    closed_area,
    height_of,
    is_supported,
    level_of,
    obelisk_bit,
    obelisk_mask,
    shadow_of,
    wall_cells,
    wall_mask,
)
from scanner.engine.obelisk.broken import (
    AlreadyMarked,
    InShadow,
    NoEmptyScroll,
    NotAShape,
    NotASquare,
    NotATranslation,
    NotBuilt,
    NotSupported,
    OutsideObelisk,
    OutsideWall,
    ScrollNotReady,
    ScrollUsed,
    SpaceCrossedOut,
    SpaceFilled,
    SpaceTaken,
)
from scanner.engine.obelisk.forms import (
    FORMS_OF,
    free_anchors,
    free_wall_anchors,
    touching_anchors,
)
from scanner.engine.obelisk.placements import OBELISK_FORM, WALL_FORM, WALL_SYMBOLS
from scanner.engine.obelisk.polyomino import SQUARE, Cell, shape_of
from scanner.engine.obelisk.sheet import (
    BLANK,
    CROSSED,
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    PRINTED_WALL,
    SCROLL_POINTS,
    SYMBOLS,
    UNBUILT,
    WALL_COLUMNS,
    WALL_ROWS,
)
from scanner.engine.obelisk.state import ObeliskState, Scroll

NO_SYMBOLS = (0,) * len(SYMBOLS)
NO_LEVELS = (0,) * LEVELS


def obelisk_place(cells: Iterable[Cell]) -> int:
    """The mask of a shape on the obelisk; OutsideObelisk or NotAShape."""
    found = set(cells)
    if not all(0 <= row < OBELISK_ROWS and 0 <= column < OBELISK_COLUMNS for row, column in found):
        raise OutsideObelisk("The shape reaches beyond the obelisk's area.")
    if shape_of(found) is None:
        raise NotAShape("These cells form none of the eight shapes.")
    return obelisk_mask(found)


def wall_place(cells: Iterable[Cell]) -> int:
    """The mask of a shape on the wall; OutsideWall or NotAShape."""
    found = set(cells)
    if not all(0 <= row < WALL_ROWS and 0 <= column < WALL_COLUMNS for row, column in found):
        raise OutsideWall("The shape reaches beyond the wall.")
    if shape_of(found) is None:
        raise NotAShape("These cells form none of the eight shapes.")
    return wall_mask(found)


class Board(NamedTuple):
    """A sheet. `built`, `crossed` and `symbols` (one mask a symbol, in the order of SYMBOLS) are obelisk masks; `groups` the
    wall masks in the order marked, `marked` their union; `scrolls` the wall masks of the scribed squares, bottom first; `used`
    has a bit for every scroll used; `levels` the points marked."""

    built: int = 0
    crossed: int = 0
    filled: int = 0
    symbols: tuple[int, ...] = NO_SYMBOLS
    groups: tuple[int, ...] = ()
    marked: int = 0
    scrolls: tuple[int, ...] = ()
    used: int = 0
    levels: tuple[int, ...] = NO_LEVELS

    @property
    def height(self) -> int:
        """0 to 12."""
        return height_of(self.built)

    @property
    def level(self) -> int:
        """The highest level reached, 0 to 3."""
        return level_of(self.built)

    @property
    def blank(self) -> int:
        """Built cells that can still take a symbol."""
        return self.built & ~self.filled

    @property
    def free_wall(self) -> int:
        """Wall cells that are neither marked nor in the shadow."""
        return WALL_FULL & ~(self.marked | shadow_of(self.level))

    def builds(self, shape: str) -> list[int]:
        """Every legal place for building the shape."""
        free = OBELISK_FULL & ~(self.built | self.crossed)
        resting = free & ((self.built << OBELISK_COLUMNS) | ((1 << OBELISK_COLUMNS) - 1))
        return [
            form.obelisk_cells << anchor
            for form in FORMS_OF[shape]
            for anchor in bits(free_anchors(form, free) & touching_anchors(form, resting))
        ]

    def carvings(self, shape: str) -> list[tuple[int, int]]:
        """Every legal carving of the shape: (wall mask, obelisk mask)."""
        blank, free_wall = self.blank, self.free_wall
        found: list[tuple[int, int]] = []
        for form in FORMS_OF[shape]:
            targets = [form.obelisk_cells << anchor for anchor in bits(free_anchors(form, blank))]
            if targets:
                found += [
                    (form.wall_cells << anchor, target)
                    for anchor in bits(free_wall_anchors(form, free_wall))
                    for target in targets
                ]
        return found

    def scribings(self, shape: str) -> list[int]:
        """Every legal wall mask for scribing the shape."""
        if shape != SQUARE or len(self.scrolls) == len(SCROLL_POINTS):
            return []
        (form,) = FORMS_OF[shape]
        return [form.wall_cells << anchor for anchor in bits(free_wall_anchors(form, self.free_wall))]

    def can_act(self, shape: str) -> bool:
        """Whether the shape can be built, carved or scribed at all."""
        return bool(self.builds(shape)) or bool(self.scribings(shape)) or bool(self.carvings(shape))

    def build(self, place: int) -> "Board":
        """The board with a shape built, closed areas crossed out. NotAShape, SpaceTaken, SpaceCrossedOut, NotSupported.
        Level points are the game's to give (`with_level`)."""
        if place not in OBELISK_FORM:
            raise NotAShape("These cells form none of the eight shapes.")
        if place & self.built:
            raise SpaceTaken("The shape overlaps one that is built already.")
        if place & self.crossed:
            raise SpaceCrossedOut("The shape covers a space that is crossed out.")
        if not is_supported(place, self.built):
            raise NotSupported("The shape rests neither on the base nor on a built space.")
        built = self.built | place
        return Board(
            built, closed_area(built), self.filled, self.symbols, self.groups, self.marked, self.scrolls, self.used, self.levels
        )

    def with_level(self, level: int, points: int) -> "Board":
        """The board with points marked at a level (1 to 3)."""
        return self._replace(levels=(*self.levels[: level - 1], points, *self.levels[level:]))

    def _check_wall(self, place: int) -> None:
        if place not in WALL_FORM:
            raise NotAShape("These cells form none of the eight shapes.")
        if place & self.marked:
            raise AlreadyMarked("The group overlaps one that is marked already.")
        if place & shadow_of(self.level):
            raise InShadow("The group covers symbols in the obelisk's shadow.")

    def carve(self, place: int, target: int) -> "Board":
        """The board with the group at `place` on the wall copied to `target` on the obelisk. NotAShape, AlreadyMarked,
        InShadow, NotATranslation, NotBuilt, SpaceFilled."""
        self._check_wall(place)
        if OBELISK_FORM.get(target) is not WALL_FORM[place]:
            raise NotATranslation("The group is copied as it stands on the wall: not turned, mirrored or rearranged.")
        if target & ~self.built:
            raise NotBuilt("A symbol would stand on a space that is not built.")
        if target & self.filled:
            raise SpaceFilled("A symbol would stand on a space that has one.")
        symbols = list(self.symbols)
        left = target
        for symbol in WALL_SYMBOLS[place]:
            low = left & -left
            symbols[symbol] |= low
            left ^= low
        return Board(
            self.built,
            self.crossed,
            self.filled | target,
            tuple(symbols),
            (*self.groups, place),
            self.marked | place,
            self.scrolls,
            self.used,
            self.levels,
        )

    def scribe(self, place: int) -> "Board":
        """The board with the square at `place` on the wall copied to the bottom-most empty scroll, its points marked.
        NotAShape, AlreadyMarked, InShadow, NotASquare, NoEmptyScroll."""
        self._check_wall(place)
        if WALL_FORM[place].shape != SQUARE:
            raise NotASquare("Only a square can be scribed.")
        if len(self.scrolls) == len(SCROLL_POINTS):
            raise NoEmptyScroll("All three scrolls are filled.")
        return self._replace(groups=(*self.groups, place), marked=self.marked | place, scrolls=(*self.scrolls, place))

    def use_scroll(self, index: int) -> "Board":
        """The board with a scroll's circle crossed out, 0 the bottom one. ScrollNotReady, ScrollUsed."""
        if not 0 <= index < len(self.scrolls):
            raise ScrollNotReady("This scroll is empty.")
        if self.used >> index & 1:
            raise ScrollUsed("This scroll was used before.")
        return self._replace(used=self.used | 1 << index)

    def state(self, seat: int | None = None, sheet_number: int | None = None, player: str | None = None) -> ObeliskState:
        """The sheet as it stands on paper. Groups are lettered a, b, c ... in the order marked."""
        rows = []
        for row in range(OBELISK_ROWS):
            text = ""
            for column in range(OBELISK_COLUMNS):
                bit = obelisk_bit((row, column))
                symbol = next((name for name, mask in zip(SYMBOLS, self.symbols, strict=True) if mask & bit), "")
                text += symbol or (BLANK if self.built & bit else CROSSED if self.crossed & bit else UNBUILT)
            rows.append(text)
        wall = [["."] * WALL_COLUMNS for _ in range(WALL_ROWS)]
        for number, group in enumerate(self.groups):
            letter = chr(ord("a") + number) if number < 26 else chr(ord("A") + number - 26)
            for row, column in wall_cells(group):
                wall[row][column] = letter
        scrolls = []
        for index, points in enumerate(SCROLL_POINTS):
            if index < len(self.scrolls):
                written = "".join(PRINTED_WALL[row][column] for row, column in wall_cells(self.scrolls[index]))
                scrolls.append(Scroll(points, written, marked=True, used=bool(self.used >> index & 1)))
            else:
                scrolls.append(Scroll(points))
        first, second, third = self.levels
        return ObeliskState(
            obelisk=tuple(rows),
            wall_shapes=tuple("".join(row) for row in wall),
            scrolls=tuple(scrolls),
            levels=(first, second, third),
            seat=seat,
            sheet_number=sheet_number,
            player=player,
        )
