package dev.zarrreactive.partition;

import dev.zarrreactive.chunkgrid.ChunkEdges;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;

/**
 * Hosts that are near a store, such as machines with a copy or a cache of it. Each split prefers
 * the same hosts in every query, so that their caches have its chunks; when a host joins or leaves,
 * only the splits of that host move. Immutable, serializable and thread-safe.
 *
 * @param hosts the names of the hosts; a copy is kept
 */
public record PreferredHosts(List<String> hosts) implements Serializable {
  private static final long serialVersionUID = 1;

  /** Copies {@code hosts}. */
  public PreferredHosts {
    hosts = List.copyOf(hosts);
  }

  /**
   * Returns up to {@code most} hosts of a split, the most preferred first. The hosts follow from
   * the first chunk of the split.
   *
   * @param edges the chunks along each dimension
   */
  public List<String> of(List<ChunkEdges> edges, IndexBox split, int most) {
    long[] first = new long[edges.size()];
    for (int d = 0; d < first.length; d++) {
      IndexRanges indices = split.dimensions().get(d);
      first[d] = indices.isEmpty() ? 0 : edges.get(d).chunkOf(indices.start(0));
    }
    return hosts.stream()
        .sorted(
            Comparator.<String>comparingLong(host -> weight(host, first))
                .reversed()
                .thenComparing(Comparator.naturalOrder()))
        .limit(most)
        .toList();
  }

  /** Mixes all bits, so that neighbours are spread over the hosts. */
  private static long weight(String host, long[] first) {
    long mixed = host.hashCode();
    for (long chunk : first) {
      mixed = mix(mixed * 31 + chunk);
    }
    return mix(mixed);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
