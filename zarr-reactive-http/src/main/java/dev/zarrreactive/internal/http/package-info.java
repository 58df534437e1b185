/**
 * The request engine of the stores over HTTP and S3: connections, one request with its cancel, and
 * its errors. Internal to these modules.
 */
@NullMarked
package dev.zarrreactive.internal.http;

import org.jspecify.annotations.NullMarked;
