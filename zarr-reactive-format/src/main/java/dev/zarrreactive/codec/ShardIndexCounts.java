package dev.zarrreactive.codec;

/**
 * The counts of the cache of shard indexes.
 *
 * @param hits look-ups that found the index, or joined a request for it
 * @param misses look-ups that sent a request to the store
 * @param bytes the size of the cached indexes
 */
public record ShardIndexCounts(long hits, long misses, long bytes) {}
