#!/usr/bin/env node
// This file is plain JavaScript without dependencies, so that an older Node can run it and print the error below.
const wanted = [22, 19]
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) {
  const [{ enableCompileCache }, { join }, { setFlagsFromString }] = await Promise.all([
    import("node:module"),
    import("node:path"),
    import("node:v8"),
  ])
  // Compiled code is kept beside this file, for a quicker next start; a folder that cannot be written is no fault.
  enableCompileCache(join(import.meta.dirname, ".cache", "compiled"))
  // The short-lived objects of loading would let V8's new space grow by 8 MB, which it keeps. 2 is its default.
  setFlagsFromString("--semi-space-growth-factor=1")
  await import("./main.ts")
  setFlagsFromString("--semi-space-growth-factor=2")
} else {
  console.error(`Sallyport needs Node ${wanted.join(".")} or newer; this is Node ${process.versions.node}.`)
  process.exitCode = 1
}
