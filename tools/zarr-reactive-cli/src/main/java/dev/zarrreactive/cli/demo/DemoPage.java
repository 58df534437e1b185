package dev.zarrreactive.cli.demo;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The demonstration in a browser: a server of a simulated distant store, whose page draws the map
 * of the Earth chunk by chunk, as fast as a slow reader takes them.
 */
final class DemoPage {
  private final Duration delay;
  private final Duration latency;
  private final Map<String, String> environment;
  private final CommandConsole console;

  /**
   * Creates a demonstration.
   *
   * @param delay the time that the page takes for a chunk
   * @param latency the mean time that the store takes for a request
   * @param environment which says whether there is a screen
   */
  DemoPage(
      Duration delay, Duration latency, Map<String, String> environment, CommandConsole console) {
    this.delay = delay;
    this.latency = latency;
    this.environment = environment;
    this.console = console;
  }

  /** Serves at a free port of this machine until it is cancelled. */
  Mono<Void> serve() {
    return Mono.using(
        () -> Schedulers.newParallel("zarr-demo-clock", 1, true), this::serve, Scheduler::dispose);
  }

  private Mono<Void> serve(Scheduler clock) {
    return DemoHierarchy.inMemory()
        .subscribeOn(console.thread())
        .flatMap(
            store ->
                Mono.usingWhen(
                    ZarrServer.of(new DelayedStore(store, latency, clock))
                        .name("earth.zarr")
                        .port(0)
                        .consolidated(true)
                        .start(),
                    running -> announce(running).then(running.onClose()),
                    RunningServer::close));
  }

  private Mono<Void> announce(RunningServer running) {
    return Mono.<Void>fromRunnable(
            () -> {
              // the reader of the page rests at least a millisecond
              long pace = Math.max(1, delay.toMillis());
              URI page = URI.create(running.uri() + "/api/#/earth/rgb?chunks=1&pace=" + pace);
              console.out().println("The Earth, chunk by chunk: " + page);
              console.out().println("Open it in a browser. Ctrl-C ends the demonstration.");
              console.out().flush();
              if (console.terminal().out()) {
                WebBrowser.of(System.getProperty("os.name", ""), environment)
                    .ifPresent(browser -> browser.open(page));
              }
            })
        .subscribeOn(console.thread());
  }
}
