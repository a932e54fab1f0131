import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

/** Whether the driver understands a URL. The driver is loaded for URLs of MongoDB alone: it takes tens of megabytes. */
export const isUrl = (text: string): boolean => {
  if (!/^mongodb(\+srv)?:\/\//i.test(text)) return false
  const { MongoClient } = require("mongodb") as typeof import("mongodb")
  try {
    new MongoClient(text)
    return true
  } catch {
    return false
  }
}
