#![allow(clippy::unwrap_used)]

use bookshelf::{App, SDL, engine};
use futures_util::StreamExt;
use serde_json::{Value, json};
use traitql::testing::Client;

const SHELF: &str = include_str!("../operations/Shelf.graphql");
const BOOK_ADD: &str = include_str!("../operations/BookAdd.graphql");
const BOOK_ADDED: &str = include_str!("../operations/BookAdded.graphql");

fn client() -> Client {
    Client::new(engine(App::default()), SDL)
}

#[tokio::test]
async fn books_are_returned_with_their_authors() {
    let answer = client().execute(SHELF, json!({ "first": 2 })).await;
    let books = json!([
        { "id": "b1", "title": "The tide tables", "published": "2019-03-01", "author": { "name": "Mira Okonjo" } },
        { "id": "b2", "title": "A field guide to fog", "published": "2021-10-15", "author": { "name": "Jan Sievers" } },
    ]);
    assert_eq!(answer, json!({ "data": { "books": books } }));
}

#[tokio::test]
async fn a_new_book_is_returned_and_published_to_subscribers() {
    let client = client();
    let mut events = client.subscribe(BOOK_ADDED, Value::Null).await;
    let answer = client
        .execute(BOOK_ADD, json!({ "input": { "title": "Ebb", "authorId": "a2" } }))
        .await;
    let books = &answer["data"]["bookAdd"]["author"]["books"];
    assert_eq!(
        books,
        &json!([{ "title": "A field guide to fog" }, { "title": "Ebb" }]),
        "{answer:#}"
    );
    assert_eq!(events.next().await.unwrap()["data"]["bookAdded"]["title"], "Ebb");
}

#[tokio::test]
async fn constraints_and_errors_follow_the_schema() {
    let client = client();
    let long = "x".repeat(121);
    let answer = client
        .execute(BOOK_ADD, json!({ "input": { "title": long, "authorId": "a2" } }))
        .await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID_INPUT", "{answer:#}");
    let answer = client
        .execute(BOOK_ADD, json!({ "input": { "title": "Ebb", "authorId": "a3" } }))
        .await;
    assert_eq!(answer["errors"][0]["message"], "There is no author with the id “a3”.");
    assert_eq!(answer["errors"][0]["extensions"]["code"], "AUTHOR_UNKNOWN");
}
