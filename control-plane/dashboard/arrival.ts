/** The query string at page load: the router rewrites values that look like numbers, such as a provider's code. */
export const ARRIVED_WITH: string = window.location.search.slice(1);
