//! The pages that users see, in English and German.

use axum::{
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{PATH, accounts::ACCOUNTS};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    German,
}

struct Texts {
    language: &'static str,
    choose: &'static str,
    no_password: &'static str,
    /// The permissions of a role.
    permissions: fn(&str) -> &'static str,
    problem: &'static str,
    back: &'static str,
    sign_out: &'static str,
    confirm: &'static str,
    signed_out: &'static str,
}

const ENGLISH: Texts = Texts {
    language: "en",
    choose: "Choose an account",
    no_password: "This is a demo: accounts have no passwords, and only this computer can reach it.",
    permissions: |role| match role {
        "ADMIN" => "Administrator: manages sites, members and the workspace",
        "PUBLISHER" => "Publisher: releases tours to sites",
        "AUTHOR" => "Author: writes tours and creates themes",
        _ => "Viewer: reads tours and insights",
    },
    problem: "The request cannot be answered",
    back: "Open Waypost",
    sign_out: "Sign out",
    confirm: "Do you want to sign out of the demo?",
    signed_out: "You are signed out",
};

const GERMAN: Texts = Texts {
    language: "de",
    choose: "Konto auswählen",
    no_password: "Dies ist eine Demo: Konten haben kein Passwort, und nur dieser Computer erreicht sie.",
    permissions: |role| match role {
        "ADMIN" => "Administration: verwaltet Websites, Mitglieder und den Arbeitsbereich",
        "PUBLISHER" => "Freigabe: veröffentlicht Touren auf Websites",
        "AUTHOR" => "Redaktion: schreibt Touren und erstellt Designs",
        _ => "Lesezugriff: liest Touren und Auswertungen",
    },
    problem: "Die Anfrage kann nicht beantwortet werden",
    back: "Waypost öffnen",
    sign_out: "Abmelden",
    confirm: "Möchten Sie sich von der Demo abmelden?",
    signed_out: "Sie sind abgemeldet",
};

impl Language {
    /// Returns the first language of `Accept-Language` that the pages have. Browsers list the preferred one first.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let accepted = headers
            .get(header::ACCEPT_LANGUAGE)
            .and_then(|value| value.to_str().ok());
        let mut tags = accepted.unwrap_or_default().split(',').map(str::trim);
        tags.find_map(|tag| match tag.get(..2)? {
            "de" => Some(Self::German),
            "en" => Some(Self::English),
            _ => None,
        })
        .unwrap_or(Self::English)
    }

    fn texts(self) -> &'static Texts {
        match self {
            Self::English => &ENGLISH,
            Self::German => &GERMAN,
        }
    }
}

/// `query` is that of the authorization request.
pub(crate) fn accounts(language: Language, query: &str) -> Response {
    let texts = language.texts();
    let buttons: String = ACCOUNTS
        .iter()
        .map(|account| {
            let (id, name, permissions) = (account.id, account.name, (texts.permissions)(account.role));
            format!("<li><button name=\"account\" value=\"{id}\"><strong>{name}</strong> <span>{permissions}</span></button></li>")
        })
        .collect();
    let form = format!(
        "<p>{}</p>\n<form method=\"post\" action=\"{PATH}/sign-in\"><input type=\"hidden\" name=\"request\" value=\"{}\">\n\
         <ul>{buttons}</ul></form>",
        texts.no_password,
        escape(query),
    );
    page(StatusCode::OK, texts, texts.choose, &form)
}

/// Reports an error that cannot be returned to the client. Only its developers see it, so it is in English.
pub(crate) fn problem(language: Language, problem: &str) -> Response {
    let texts = language.texts();
    let text = format!("<p>{}</p>\n<p><a href=\"/\">{}</a></p>", escape(problem), texts.back);
    page(StatusCode::BAD_REQUEST, texts, texts.problem, &text)
}

/// `query` is that of the request for signing out.
pub(crate) fn confirm_sign_out(language: Language, query: &str) -> Response {
    let texts = language.texts();
    let form = format!(
        "<p>{}</p>\n<form method=\"post\" action=\"{PATH}/sign-out\"><input type=\"hidden\" name=\"request\" value=\"{}\">\n\
         <button>{}</button></form>",
        texts.confirm,
        escape(query),
        texts.sign_out,
    );
    page(StatusCode::OK, texts, texts.sign_out, &form)
}

pub(crate) fn signed_out(language: Language) -> Response {
    let texts = language.texts();
    let text = format!("<p><a href=\"/\">{}</a></p>", texts.back);
    page(StatusCode::OK, texts, texts.signed_out, &text)
}

pub(crate) async fn stylesheet() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, include_str!("page.css")).into_response()
}

fn page(status: StatusCode, texts: &Texts, title: &str, main: &str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With `no-referrer`, browsers send forms without an origin.
        (header::REFERRER_POLICY, "same-origin"),
    ];
    let page = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title} · Waypost</title>\n\
         <link rel=\"icon\" href=\"/favicon.svg\"><link rel=\"stylesheet\" href=\"{PATH}/page.css\"></head>\n\
         <body><main><img src=\"/favicon.svg\" alt=\"\" width=\"40\" height=\"40\">\n<h1>{title}</h1>\n{main}</main></body>\n</html>\n",
        texts.language,
    );
    (status, headers, page).into_response()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
