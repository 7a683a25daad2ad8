/** The one place that knows where the template library stands. */
export {html, svg, render, nothing} from '../lit-html/lit-html.js';
export {repeat} from '../lit-html/directives/repeat.js';
export {live} from '../lit-html/directives/live.js';
