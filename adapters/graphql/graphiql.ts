import type { GraphiQLOptions } from "graphql-yoga"

/**
 * Renders the page for the service at this path, with all of its scripts, without a request to another host. The package is large: it is
 * loaded with the first page. Bundlers of frameworks must not look for it, since applications need not install it.
 */
export const render = async (path: string) => {
  const { renderGraphiQL } = await import(
    /* turbopackIgnore: true */ /* webpackIgnore: true */ /* @vite-ignore */ "@graphql-yoga/render-graphiql"
  )
  const options: GraphiQLOptions = { endpoint: path, title: "Sallyport", defaultQuery }
  return renderGraphiQL(options)
}

const defaultQuery = "{\n  viewer {\n    user {\n      id\n      email\n    }\n  }\n}\n"
