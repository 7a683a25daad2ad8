/** How large the page is. Asked for at every drawing, so it is measured when it changes only. */
const NARROW = 720, NAVIGATION = 188;

let width = innerWidth;
addEventListener('resize', () => { width = innerWidth; }, {capture: true});

/** A phone: the navigation is a menu then. */
export const isNarrow = () => width <= NARROW;

/** What the navigation leaves. */
export const pageWidth = () => width - (isNarrow() ? 0 : NAVIGATION);
