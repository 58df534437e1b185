package dev.zarrreactive.http;

import reactor.netty.http.HttpProtocol;

class Http1FaultMatrixTest extends HttpMatrix {
  Http1FaultMatrixTest() {
    super(HttpProtocol.HTTP11);
  }
}
