/** Where the modules of the pages are. */
export const JS = new URL("../../../../service/pages/static/js/", import.meta.url);
