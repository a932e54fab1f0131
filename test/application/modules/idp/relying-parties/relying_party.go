package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

func demand(holds bool, otherwise string) {
	if !holds {
		panic(otherwise)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// visited opens the link in the user's browser, and returns the parameters of the redirect to the client.
func visited(link string, cookie string) url.Values {
	request := must(http.NewRequest("GET", link, nil))
	request.Header.Set("Cookie", cookie)
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response := must((&http.Client{CheckRedirect: stay}).Do(request))
	demand(response.StatusCode == 302, response.Status)
	return must(response.Location()).Query()
}

func main() {
	base, cookie, userId := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	provider := must(oidc.NewProvider(ctx, base))
	config := oauth2.Config{
		ClientID:     os.Args[4],
		ClientSecret: os.Args[5],
		RedirectURL:  os.Args[6],
		Endpoint:     provider.Endpoint(),
		Scopes:       []string{oidc.ScopeOpenID, "email", oidc.ScopeOfflineAccess},
	}
	verifier, nonce := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	link := config.AuthCodeURL("the state", oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier))
	back := visited(link, cookie)
	demand(back.Get("state") == "the state" && back.Get("iss") == base, "another state or issuer")

	token := must(config.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(verifier)))
	ids := provider.Verifier(&oidc.Config{ClientID: config.ClientID})
	idToken := must(ids.Verify(ctx, token.Extra("id_token").(string)))
	demand(idToken.Subject == userId && idToken.Nonce == nonce, "another subject or nonce")
	if idToken.AccessTokenHash != "" {
		demand(idToken.VerifyAccessToken(token.AccessToken) == nil, "another at_hash")
	}
	info := must(provider.UserInfo(ctx, oauth2.StaticTokenSource(token)))
	demand(info.Subject == userId && info.Email == "ada@example.com" && !info.EmailVerified, "another user")

	ended := *token
	ended.Expiry = time.Now().Add(-time.Minute)
	refreshed := must(config.TokenSource(ctx, &ended).Token())
	demand(refreshed.AccessToken != token.AccessToken, "not refreshed")
	demand(must(ids.Verify(ctx, refreshed.Extra("id_token").(string))).Subject == userId, "another subject")

	ended.RefreshToken = "a guess"
	_, err := config.TokenSource(ctx, &ended).Token()
	var refusal *oauth2.RetrieveError
	demand(errors.As(err, &refusal) && refusal.ErrorCode == "invalid_grant", "refreshed with a guess")

	administration := base + "/admin"
	machine := clientcredentials.Config{
		ClientID:       "nightly",
		ClientSecret:   config.ClientSecret,
		TokenURL:       config.Endpoint.TokenURL,
		Scopes:         []string{"users:read"},
		EndpointParams: url.Values{"resource": {administration}},
	}
	for path, status := range map[string]int{"/list-users": 200, "/audit/list": 403} {
		demand(must(machine.Client(ctx).Get(administration+path)).StatusCode == status, path)
	}
}
