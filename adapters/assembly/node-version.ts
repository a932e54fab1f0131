const wanted = [22, 19] as const

/** Fails on a Node that is too old for the service. Other runtimes state a version of Node that says nothing about them. */
export const assertNode = ({ node = "", bun, deno }: Readonly<Record<string, string | undefined>>): void => {
  const [major = 0, minor = 0] = node.split(".").map(Number)
  if (bun !== undefined || deno !== undefined || major > wanted[0] || (major === wanted[0] && minor >= wanted[1])) return
  throw new Error(`Sallyport needs Node ${wanted.join(".")} or newer; this is Node ${node}.`)
}
