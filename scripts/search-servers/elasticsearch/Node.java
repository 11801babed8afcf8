import static org.codelibs.elasticsearch.runner.ElasticsearchClusterRunner.newConfigs;

import org.codelibs.elasticsearch.runner.ElasticsearchClusterRunner;

/** Runs one node of Elasticsearch for tests and measurements: Node FOLDER HTTP_PORT TRANSPORT_PORT. */
public class Node {
    public static void main(String[] args) throws Exception {
        ElasticsearchClusterRunner runner = new ElasticsearchClusterRunner();
        runner.onBuild((number, settings) -> {
            settings.put("network.host", "127.0.0.1");
            settings.put("http.port", args[1]);
            settings.put("transport.port", args[2]);
            settings.put("discovery.type", "single-node");
            settings.put("cluster.routing.allocation.disk.threshold_enabled", "false");
        }).build(newConfigs().basePath(args[0]).numOfNode(1).clusterName("thresher").useLogger());
        Thread.currentThread().join();
    }
}
