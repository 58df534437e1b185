package dev.zarrreactive.webflux;

import dev.zarrreactive.credentials.LinkKeySource;
import dev.zarrreactive.credentials.LinkKeys;
import java.time.Instant;
import java.util.Set;
import org.springframework.core.Ordered;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.RequestPath;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Lets the end points of a service answer what a signed link opens. */
final class LinkFilter implements WebFilter, Ordered {
  /** The attribute of an exchange that a link has opened. */
  static final String OPENED = LinkFilter.class.getName() + ".opened";

  private static final Set<HttpMethod> READS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

  private final LinkKeySource keys;

  LinkFilter(LinkKeySource keys) {
    this.keys = keys;
  }

  /** Behind the filters of Spring Security, which are at -100 and see the link. */
  @Override
  public int getOrder() {
    return 0;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    ServerHttpRequest request = exchange.getRequest();
    RequestPath path = request.getPath();
    String target = path.pathWithinApplication().value();
    if (!LinkKeys.isLink(target)) {
      return chain.filter(exchange);
    }
    LinkKeys.Access needed =
        READS.contains(request.getMethod()) ? LinkKeys.Access.READ : LinkKeys.Access.READ_WRITE;
    return keys.keys()
        .flatMap(now -> Mono.justOrEmpty(now.open(target, needed, Instant.now())))
        .switchIfEmpty(Mono.error(RefusedSliceException::denied))
        .flatMap(
            opened -> {
              String below = path.contextPath().value() + opened.target();
              ServerWebExchange mutated =
                  exchange.mutate().request(request.mutate().path(below).build()).build();
              mutated.getAttributes().put(OPENED, true);
              return chain.filter(mutated);
            });
  }

  /** Returns the path of a request for people and logs, without the token of a link. */
  static String shown(String path) {
    return path.replaceFirst("(^|/)(__signed)/[^/]*", "$1$2/...");
  }
}
