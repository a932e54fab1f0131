import Bowser from "bowser"
import type { View } from "../view.ts"

/** A browser or application in words, by its `User-Agent`; null if that is unknown. */
export const deviceName = ({ texts }: View, userAgent: string | null): string | null => {
  const { browser, os } = Bowser.parse(userAgent || "unknown")
  const [name = "", system = ""] = [browser.name, os.name]
  if (name !== "" && system !== "") return texts.t("device.known", { browser: name, system })
  return name || system || null
}
