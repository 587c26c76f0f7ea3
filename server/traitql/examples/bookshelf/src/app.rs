use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::{StreamExt, stream};
use tokio::sync::broadcast;
use traitql::{Batch, Ctx, Events, Id, Many, One, Patch, Throws};

use crate::generated::{Author, Book, BookAddInput, errors, field, resolve};

#[derive(Debug)]
pub struct App {
    books: Mutex<Vec<Book>>,
    authors: Vec<Author>,
    added: broadcast::Sender<Book>,
}

impl Default for App {
    /// Creates a shelf with two authors and three books.
    fn default() -> Self {
        let author = |id: &str, name: &str| Author {
            id: id.into(),
            name: name.to_owned(),
        };
        let book = |id: &str, title: &str, published: &str, author: &str| Book {
            id: id.into(),
            title: title.to_owned(),
            published: published.parse().ok(),
            author_id: author.into(),
        };
        Self {
            books: Mutex::new(vec![
                book("b1", "The tide tables", "2019-03-01", "a1"),
                book("b2", "A field guide to fog", "2021-10-15", "a2"),
                book("b3", "Harbour lights", "", "a1"),
            ]),
            authors: vec![author("a1", "Mira Okonjo"), author("a2", "Jan Sievers")],
            added: broadcast::channel(16).0,
        }
    }
}

impl App {
    fn books(&self) -> MutexGuard<'_, Vec<Book>> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl resolve::QueryBooks for App {
    async fn resolve(&self, _cx: &Ctx, first: i32) -> Result<Vec<Book>, Throws<field::QueryBooks>> {
        // `@range` guarantees 1 to 50.
        let first = usize::try_from(first).unwrap_or(0);
        Ok(self.books().iter().take(first).cloned().collect())
    }
}

impl resolve::QueryBook for App {
    async fn resolve(&self, _cx: &Ctx, id: Id) -> Result<Option<Book>, Throws<field::QueryBook>> {
        Ok(self.books().iter().find(|book| book.id == id).cloned())
    }
}

impl resolve::BookAuthor for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        books: Batch<'b, Book>,
    ) -> Result<One<'b, Author>, Throws<field::BookAuthor>> {
        let ids = books.keys(|book| book.author_id.clone());
        let authors = self.authors.iter().filter(|author| ids.contains(&author.id));
        Ok(books.join(
            authors.cloned().collect(),
            |author| author.id.clone(),
            |book| book.author_id.clone(),
        ))
    }
}

impl resolve::AuthorBooks for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        authors: Batch<'b, Author>,
    ) -> Result<Many<'b, Book>, Throws<field::AuthorBooks>> {
        let ids = authors.keys(|author| author.id.clone());
        let books = self.books();
        let books = books.iter().filter(|book| ids.contains(&book.author_id));
        Ok(authors.group(
            books.cloned().collect(),
            |book| book.author_id.clone(),
            |author| author.id.clone(),
        ))
    }
}

impl resolve::MutationBookAdd for App {
    async fn resolve(&self, _cx: &Ctx, input: BookAddInput) -> Result<Book, Throws<field::MutationBookAdd>> {
        if !self.authors.iter().any(|author| author.id == input.author_id) {
            // The schema declares this error and its message.
            let author_id = input.author_id.into_string();
            return Err(errors::AuthorUnknown { author_id }.into());
        }
        let mut books = self.books();
        let book = Book {
            id: format!("b{}", books.len() + 1).into(),
            title: input.title,
            published: match input.published {
                Patch::Set(day) => Some(day),
                Patch::Keep | Patch::Clear => None,
            },
            author_id: input.author_id,
        };
        books.push(book.clone());
        // Sending fails if there are no subscribers, which is not an error.
        let _ = self.added.send(book.clone());
        Ok(book)
    }
}

impl resolve::SubscriptionBookAdded for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
    ) -> Result<Events<Book, field::SubscriptionBookAdded>, Throws<field::SubscriptionBookAdded>> {
        let added = self.added.subscribe();
        // A slow subscriber misses some books and continues with the next available one.
        let books = stream::unfold(added, async |mut added| {
            loop {
                match added.recv().await {
                    Ok(book) => return Some((Ok(book), added)),
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => return None,
                }
            }
        });
        Ok(books.boxed())
    }
}
