//! JSON texts as answers hold them, byte by byte what serde_json writes.

/// Appends a text with its quotes (RFC 8259, section 7).
pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + 2);
    out.push(b'"');
    loop {
        rest = &rest[copied(out, rest)..];
        let Some((byte, after)) = rest.split_first() else { break };
        escaped(out, *byte);
        rest = after;
    }
    out.push(b'"');
}

/// Appends what stands for itself, and answers with how many bytes that were: up to the first that does not. The usual text has
/// nothing to escape, so what is looked at is copied at once, sixteen bytes at a time, or eight, or four. What is left at the end
/// is looked at and copied together with bytes before it, which are there twice for a moment.
#[inline]
fn copied(out: &mut Vec<u8>, text: &[u8]) -> usize {
    if let Some(last) = text.last_chunk::<16>() {
        let (chunks, end) = text.as_chunks::<16>();
        for (at, chunk) in chunks.iter().enumerate() {
            if !are_plain(chunk) {
                return at * 16 + one_by_one(out, chunk);
            }
            out.extend_from_slice(chunk);
        }
        if end.is_empty() {
            return text.len();
        }
        if are_plain(last) {
            out.truncate(out.len() - (16 - end.len()));
            out.extend_from_slice(last);
            return text.len();
        }
        return text.len() - end.len() + one_by_one(out, end);
    }
    if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>())
        && are_plain(first)
        && are_plain(last)
    {
        out.extend_from_slice(first);
        out.truncate(out.len() - (16 - text.len()));
        out.extend_from_slice(last);
        return text.len();
    }
    if let (4..8, Some(first), Some(last)) = (text.len(), text.first_chunk::<4>(), text.last_chunk::<4>())
        && are_plain(first)
        && are_plain(last)
    {
        out.extend_from_slice(first);
        out.truncate(out.len() - (8 - text.len()));
        out.extend_from_slice(last);
        return text.len();
    }
    one_by_one(out, text)
}

#[inline]
fn one_by_one(out: &mut Vec<u8>, text: &[u8]) -> usize {
    let plain = text.iter().position(|byte| ESCAPES[*byte as usize] != 0);
    let plain = plain.unwrap_or(text.len());
    out.extend_from_slice(&text[..plain]);
    plain
}

/// Whether all bytes stand for themselves. Without a way out in the middle, so that it becomes a few instructions for all of them.
#[inline]
fn are_plain<const N: usize>(bytes: &[u8; N]) -> bool {
    let special = |byte: u8| (byte < 0x20) | (byte == b'"') | (byte == b'\\');
    !bytes.iter().fold(false, |found, byte| found | special(*byte))
}

#[cold]
fn escaped(out: &mut Vec<u8>, byte: u8) {
    match ESCAPES[byte as usize] {
        b'u' => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            let digit = |nibble: u8| DIGITS[(nibble & 15) as usize];
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte)]);
        }
        short => out.extend_from_slice(&[b'\\', short]),
    }
}

/// What follows the backslash; 0 for a byte that stands for itself.
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut control = 0;
    while control < 0x20 {
        table[control] = b'u';
        control += 1;
    }
    table[0x08] = b'b';
    table[0x09] = b't';
    table[0x0a] = b'n';
    table[0x0c] = b'f';
    table[0x0d] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

/// A short text that is written often: what comes before the value of a field.
pub(crate) struct Lead {
    /// The text, and spaces behind it.
    padded: [u8; Self::SHORT],
    length: usize,
    /// A text that is too long for that.
    long: Box<[u8]>,
}

impl Lead {
    /// As much is written at once: as much room as that behind an answer keeps its last fields from growing it.
    pub(crate) const SHORT: usize = 32;

    pub(crate) fn new(text: &[u8]) -> Self {
        let mut padded = [b' '; Self::SHORT];
        let is_short = text.len() <= Self::SHORT;
        if is_short {
            padded[..text.len()].copy_from_slice(text);
        }
        Self {
            padded,
            length: text.len(),
            long: if is_short { Box::default() } else { text.into() },
        }
    }

    /// Appends the text. A copy of as many bytes as are known when this is compiled costs less than one of fewer bytes.
    #[inline]
    pub(crate) fn append(&self, out: &mut Vec<u8>) {
        if self.length > Self::SHORT {
            return out.extend_from_slice(&self.long);
        }
        let end = out.len() + self.length;
        out.extend_from_slice(&self.padded);
        out.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_appended_whole_whatever_its_length() {
        for length in 0..80 {
            let text: Vec<u8> = (0..length).collect();
            let mut out = b"before".to_vec();
            Lead::new(&text).append(&mut out);
            assert_eq!(out, [b"before", &text[..]].concat());
        }
    }

    #[test]
    fn texts_are_written_as_serde_json_writes_them() {
        let every: String = (0..=0x2ff_u32).chain([0x1F600]).filter_map(char::from_u32).collect();
        let mut cases = vec![String::new(), "plain".to_owned(), every.clone()];
        for (at, one) in every.char_indices() {
            for before in 0..34 {
                cases.push(format!(
                    "{}{one}{}",
                    "a".repeat(before),
                    &every[at..].chars().take(20).collect::<String>()
                ));
            }
        }
        for case in cases {
            let mut out = Vec::new();
            text(&mut out, &case);
            assert_eq!(
                String::from_utf8(out).ok(),
                serde_json::to_string(&case).ok(),
                "{case:?}"
            );
        }
    }
}
