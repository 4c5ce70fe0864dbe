// Sockets on Asio.

#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <memory>

#include "server/socket.h"

namespace stator::server {

// With the executor's type spelt out, handlers run without the virtual calls of any_io_executor.
using TcpSocket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

std::unique_ptr<Socket> MakePlainSocket(TcpSocket socket);

// `context` must outlive the socket.
std::unique_ptr<Socket> MakeTlsSocket(TcpSocket socket, boost::asio::ssl::context& context);

}  // namespace stator::server
