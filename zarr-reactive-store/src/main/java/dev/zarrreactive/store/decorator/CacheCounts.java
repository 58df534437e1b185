package dev.zarrreactive.store.decorator;

/**
 * A snapshot of the counts of a cache: of stored bytes ({@link CachedStore#counts}), of decoded
 * chunks, or of shard indexes. Keys that bypass the cache are not counted.
 *
 * @param hits the reads that were answered from memory
 * @param shared the reads that joined the request of another one
 * @param misses the reads that requested bytes
 * @param revalidations the reads that requested bytes only if they have changed
 * @param evictions the entries that were evicted
 * @param entries what is in the cache now: values, ranges and missing keys, chunks, or indexes
 * @param bytes their size; of stored bytes as {@link CacheOptions} defines it
 */
public record CacheCounts(
    long hits,
    long shared,
    long misses,
    long revalidations,
    long evictions,
    long entries,
    long bytes) {}
