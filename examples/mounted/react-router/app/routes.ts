import { index, type RouteConfig, route } from "@react-router/dev/routes"

export default [
  index("routes/home.tsx"),
  route("me", "routes/me.ts"),
  route("api/auth/*", "routes/api.auth.$.ts"),
  route("auth/*", "routes/api.auth.$.ts", { id: "auth-pages" }),
] satisfies RouteConfig
