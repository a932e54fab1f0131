/** The names of a browser and of its operating system. */
export interface BrowserName {
  readonly browser: string
  readonly system: string
}

type Rules = ReadonlyArray<readonly [pattern: RegExp, name: string]>

/** The first match counts: most browsers also name those that they are compatible with. */
const browsers: Rules = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|\bCriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
  // A page within an application: WebKit is the only engine of most of these devices, and names no version of Safari.
  [/\bAppleWebKit\/.* Mobile\//, "Safari"],
]

const systems: Rules = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows NT\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
]

/**
 * The names of a browser and its operating system from a `User-Agent`; null if either is unknown. Returns only the names above: clients
 * choose the header, and mails must not repeat a client's text.
 */
export const browserName = (userAgent: string | null): BrowserName | null => {
  const [browser, system] = [nameIn(browsers, userAgent), nameIn(systems, userAgent)]
  return browser === undefined || system === undefined ? null : { browser, system }
}

const nameIn = (rules: Rules, userAgent: string | null) => rules.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1]
