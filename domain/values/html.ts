const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

/** Text for HTML, also within an attribute. Pages use the package `@remix-run/html-template`, which escapes values itself. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
