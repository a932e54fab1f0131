import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"
import { atEnd } from "./endings.ts"

/** The first is the same browser without windows, and needs half the processor time. */
const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]
const executablePath = process.env["CHROMIUM"] ?? installed.find(existsSync) ?? "/usr/bin/chromium"

/** Starts the Chromium of this machine; it is closed at the end of the test file. */
export const startBrowser = async (): Promise<Browser> => {
  if (!existsSync(executablePath))
    throw new Error(`there is no ${executablePath}: install the package chromium, or name another one in CHROMIUM`)
  // Chromium's sandbox does not run as root.
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] })
  atEnd(() => browser.close())
  return browser
}
