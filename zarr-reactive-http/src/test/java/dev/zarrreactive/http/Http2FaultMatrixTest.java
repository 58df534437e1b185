package dev.zarrreactive.http;

import reactor.netty.http.HttpProtocol;

class Http2FaultMatrixTest extends HttpMatrix {
  Http2FaultMatrixTest() {
    super(HttpProtocol.H2C);
  }
}
