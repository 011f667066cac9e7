/** What stood after the ? when the page was loaded: the router writes what looks like a number in its own way, and a provider's code may. */
export const ARRIVED_WITH: string = window.location.search.slice(1);
