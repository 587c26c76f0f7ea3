//! Notifies systemd, or another service manager that sets `NOTIFY_SOCKET`: sd_notify(3).

use std::{
    env,
    ffi::OsStr,
    io,
    os::unix::{
        ffi::OsStrExt,
        net::{SocketAddr, UnixDatagram},
    },
    time::Duration,
};

use tokio::time::interval;
use tracing::warn;

pub(crate) struct ServiceManager {
    socket: Option<Socket>,
    /// The service manager restarts the server after this time without a notification.
    watchdog: Option<Duration>,
}

struct Socket {
    datagrams: UnixDatagram,
    address: SocketAddr,
}

impl ServiceManager {
    pub(crate) fn from_environment() -> Self {
        let socket = env::var_os("NOTIFY_SOCKET").and_then(|address| {
            let opened = Socket::open(&address);
            opened
                .inspect_err(|error| warn!(?address, %error, "NOTIFY_SOCKET cannot be used"))
                .ok()
        });
        let microseconds = env::var("WATCHDOG_USEC").ok().and_then(|text| text.parse().ok());
        Self {
            socket,
            watchdog: microseconds.filter(|time| *time > 0).map(Duration::from_micros),
        }
    }

    pub(crate) fn ready(&self) {
        self.notify("READY=1");
    }

    pub(crate) fn stopping(&self) {
        self.notify("STOPPING=1");
    }

    /// Sends notifications as long as the runtime executes tasks. Ends only if none are expected.
    pub(crate) async fn keep_alive(&self) {
        let Some(watchdog) = self.watchdog else { return };
        let mut ticks = interval(watchdog / 2);
        loop {
            ticks.tick().await;
            self.notify("WATCHDOG=1");
        }
    }

    fn notify(&self, state: &str) {
        let Some(Socket { datagrams, address }) = &self.socket else {
            return;
        };
        if let Err(error) = datagrams.send_to_addr(state.as_bytes(), address) {
            warn!(state, %error, "the service manager could not be notified");
        }
    }
}

impl Socket {
    fn open(address: &OsStr) -> io::Result<Self> {
        let address = match address.as_bytes().strip_prefix(b"@") {
            Some(name) => abstract_address(name)?,
            None => SocketAddr::from_pathname(address)?,
        };
        let datagrams = UnixDatagram::unbound()?;
        // A service manager that hangs must not block the server.
        datagrams.set_nonblocking(true)?;
        Ok(Self { datagrams, address })
    }
}

#[cfg(target_os = "linux")]
fn abstract_address(name: &[u8]) -> io::Result<SocketAddr> {
    use std::os::linux::net::SocketAddrExt;
    SocketAddr::from_abstract_name(name)
}

#[cfg(not(target_os = "linux"))]
fn abstract_address(_name: &[u8]) -> io::Result<SocketAddr> {
    Err(io::ErrorKind::Unsupported.into())
}
