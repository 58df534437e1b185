package dev.zarrreactive.micrometer;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.observation.ZarrOperation;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Writes and reads an array, also with an observer; is made by a class loader of its own. */
public final class PlainRead implements Callable<String> {
  @Override
  public String call() {
    Store store = MemoryStore.create();
    Rows.writeShard(3, store);
    AtomicInteger told = new AtomicInteger();
    ZarrObserver observer =
        new ZarrObserver() {
          @Override
          public ContextView onStart(ZarrOperation operation, ContextView subscriber) {
            told.incrementAndGet();
            return Context.empty();
          }
        };
    return Rows.open(store, ZarrOptions.defaults()).read(Selection.parse("3:6")).block()
        + " "
        + Rows.open(store, ZarrOptions.defaults().withObserver(observer))
            .read(Selection.parse("3:6"))
            .block()
        + " "
        + told;
  }
}
