/*
 * Sets the clock of a process ahead by CLOCK_AHEAD seconds, or by those in the file CLOCK_AHEAD_FILE, which may change
 * while the process runs. To be preloaded.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead(void) {
  const char *path = getenv("CLOCK_AHEAD_FILE");
  if (path) {
    char found[32] = "";
    int file = open(path, O_RDONLY);
    if (file < 0) return 0;
    ssize_t size = read(file, found, sizeof found - 1);
    close(file);
    return size > 0 ? atol(found) : 0;
  }
  const char *text = getenv("CLOCK_AHEAD");
  return text ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += ahead();
  return result;
}

int gettimeofday(struct timeval *time, void *zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
