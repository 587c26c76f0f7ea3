//! systemd waits for the notification that the server is ready.

use std::os::{linux::net::SocketAddrExt, unix::net::SocketAddr as Address};

use tokio::{net::UnixDatagram, time::timeout};

use crate::support::{Server, TEST_TIMEOUT, provider};

async fn received(socket: &UnixDatagram) -> String {
    let mut message = [0; 64];
    let length = timeout(TEST_TIMEOUT, socket.recv(&mut message)).await.unwrap().unwrap();
    String::from_utf8(message[..length].to_vec()).unwrap()
}

#[tokio::test]
async fn the_service_manager_learns_of_the_start_and_the_stop() {
    let issuer = provider().await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let name = format!("waypost-test-{}", std::process::id());
    let address = Address::from_abstract_name(&name).unwrap();
    let abstract_socket = std::os::unix::net::UnixDatagram::bind_addr(&address).unwrap();
    abstract_socket.set_nonblocking(true).unwrap();
    for (socket, setting) in [
        (UnixDatagram::bind(&path).unwrap(), path.to_str().unwrap().to_owned()),
        (UnixDatagram::from_std(abstract_socket).unwrap(), format!("@{name}")),
    ] {
        let settings = [("NOTIFY_SOCKET", setting.as_str()), ("WATCHDOG_USEC", "200000")];
        let mut server = Server::with(&issuer, &settings).await;
        assert_eq!(received(&socket).await, "READY=1");
        let ready = reqwest::get(format!("{}/readyz", server.url)).await.unwrap();
        assert_eq!(ready.status(), 200, "the provider's keys were read before");
        for _ in 0..3 {
            assert_eq!(received(&socket).await, "WATCHDOG=1");
        }
        server.signal("TERM");
        while received(&socket).await != "STOPPING=1" {}
        assert_eq!(server.exited().await.code(), Some(0), "{}", server.log());
    }
}

#[tokio::test]
async fn the_server_starts_without_a_provider_or_a_service_manager() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    let mut issuer = provider().await;
    // Nothing listens at this address.
    issuer.url = "http://127.0.0.1:1".to_owned();
    let _server = Server::with(&issuer, &[("NOTIFY_SOCKET", path.to_str().unwrap())]).await;
    assert_eq!(received(&socket).await, "READY=1");

    let server = Server::with(&provider().await, &[("NOTIFY_SOCKET", "/nonexistent/notify")]).await;
    server.logged("the service manager could not be notified").await;
}
