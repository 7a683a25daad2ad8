/** The server's clock: times on the page are told by it, however wrong the browser's is. */
let offset = 0;

export const setServerNow = iso => { offset = Date.parse(iso) - Date.now(); };
export const serverNow = () => Date.now() + offset;
